"""What carries an HTML name and is no HTML: images, archives, documents, programs."""

from __future__ import annotations

import re

HEAD_BYTES = 4096
BINARY_CONTROL_SHARE = 0.02  # control characters that a text never has; compressed data has about 0.1

# First bytes of other formats (WHATWG MIME Sniffing, section 6, and what else is found on servers).
_FORMATS = tuple(
    (re.compile(pattern, re.DOTALL), name)
    for pattern, name in (
        (rb"%PDF-", "a PDF document"),
        (rb"\x89PNG\r\n", "a PNG image"),
        (rb"\xff\xd8\xff", "a JPEG image"),
        (rb"GIF8[79]a", "a GIF image"),
        (rb"BM.{4}\x00\x00\x00\x00", "a BMP image"),
        (rb"II\*\x00|MM\x00\*", "a TIFF image"),
        (rb"RIFF.{4}(?:WEBP|WAVE|AVI )", "a RIFF media file"),
        (rb".{4}ftyp", "an MP4 or AVIF file"),
        (rb"OggS", "an Ogg file"),
        (rb"ID3[\x02-\x04]", "an MP3 file"),
        (rb"\x00\x00\x01\x00", "an icon"),
        (rb"wOF[F2]", "a font"),
        (rb"PK\x03\x04", "a ZIP archive (or an office document)"),
        (rb"\x1f\x8b", "gzip data"),
        (rb"BZh[1-9]", "bzip2 data"),
        (rb"\xfd7zXZ", "xz data"),
        (rb"\(\xb5/\xfd", "zstd data"),
        (rb"7z\xbc\xaf", "a 7z archive"),
        (rb".{257}ustar", "a tar archive"),
        (rb"\xd0\xcf\x11\xe0", "an old office document"),
        (rb"\{\\rtf", "a rich-text document"),
        (rb"\x7fELF|\x00asm|\xca\xfe\xba\xbe|MZ\x90\x00", "a program"),
        (rb"SQLite format 3", "a database"),
        (rb"PAR1", "a Parquet file"),
    )
)
_HTML_TYPES = ("html", "xml", "text/plain", "octet-stream", "unknown")
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\x1b")) + b"\x7f"
# A tag that is no accident of compressed bytes.
_TAG = re.compile(
    rb"<(?:!doctype|/?(?:html|head|body|title|meta|link|p|div|span|table|tr|td|a|br|b|h[1-6]|ul|li|pre|script))"
    rb"[\s/>]",
    re.IGNORECASE,
)


class NotHtml(ValueError):
    """The bytes are no HTML page; the message names what they look like."""


def refuse_other_formats(body: bytes, content_type: str = "", *, is_wide: bool = False) -> None:
    """Raises NotHtml for bytes of another format; ``is_wide`` says that their zeros are those of UTF-16."""
    head = body[:HEAD_BYTES]
    for pattern, name in _FORMATS:
        if pattern.match(head):
            raise NotHtml(f"not HTML: the bytes are {name}")
    mime = content_type.split(";")[0].strip().lower()
    if mime and not any(part in mime for part in _HTML_TYPES):
        raise NotHtml(f"not HTML: the server called it {mime}")
    if (
        is_wide
        or head.startswith((b"\xff\xfe", b"\xfe\xff"))
        or "utf-16" in content_type.lower()
        or _TAG.search(head)
    ):
        return
    control = len(head) - len(head.translate(None, _CONTROL))
    if control > max(4, BINARY_CONTROL_SHARE * len(head)):
        raise NotHtml("not HTML: the bytes look like binary data")
