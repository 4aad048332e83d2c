"""From a page to its text nodes: one parse, one walk.

parser_input  bytes → UTF-8 markup within the caps (nesting, frames)
walk          the parser's tree → events (steps; in C where that was built), trace: what the events mean
parsing       a page → TextNodes (textnodes), with the markup that a document is written from (markup);
              kept from one reading to the next (kept)
elements, links, spans, template_paths  what is asked of elements, addresses, table cells and places
"""
