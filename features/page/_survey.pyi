def keeps_to(
    markup: bytes,
    most_bytes: int,
    most_brackets: int,
    most_tags: int,
    most_templates: int,
    longest_tag: int,
    most_attributes: int,
    deepest: int,
    most_roots: int,
    /,
) -> bool: ...
