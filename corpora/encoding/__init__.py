"""From the bytes of a page to UTF-8, as a browser reads them.

sniffing     refuses what is no HTML
declared     what header, meta and XML declaration say; evidence: what the bytes say
decoding     a page → Decoded, by that evidence in order
encodings    the encodings of the standard and how each is read (iso_2022_jp)
"""
