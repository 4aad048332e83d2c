"""Metadata of a page, each with where it came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin

from ruiji.chunker.document.metadata.sources import MetadataSources, headings_of, sources_of
from ruiji.chunker.document.metadata.titles import site_of, title_of
from ruiji.features.page.links import base_address
from ruiji.features.page.textnodes import TextNodes

_NOT_DETAILED = "metadata is read from a page that was walked in detail: text_nodes(page, detailed=True)"


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known of a page; empty texts where nobody says it. ``sources`` tell where each came from."""

    title: str = ""
    author: str = ""
    published: str = ""
    modified: str = ""
    site: str = ""
    language: str = ""
    canonical: str = ""
    image: str = ""
    license: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)


def headline_of(nodes: TextNodes) -> str:
    """The title alone, of a page that was walked in detail."""
    if nodes.markup is None:
        raise ValueError(_NOT_DETAILED)
    sources = headings_of(nodes, nodes.markup)
    return title_of(sources, nodes.title, site_of(sources)[0], nodes.host)[0]


def metadata_of(nodes: TextNodes, text: str, url: str) -> Metadata:
    """The metadata of a page that was walked in detail; ``text`` is its content."""
    # Not needed for the headline alone, which is all that Markdown takes
    from ruiji.chunker.document.metadata.language import language_of
    from ruiji.chunker.document.metadata.names import authors_of
    from ruiji.chunker.document.metadata.times import modified_of, published_of

    markup = nodes.markup
    if markup is None:
        raise ValueError(_NOT_DETAILED)
    sources = sources_of(nodes, markup)
    site, site_source = site_of(sources)
    declared = next((value for _, value in markup.attributes.named("lang") if value), "")
    base = base_address(url, nodes.base)
    values = {
        "title": title_of(sources, nodes.title, site, nodes.host),
        "author": authors_of(sources, site, nodes.host),
        "published": published_of(sources, url),
        "modified": modified_of(sources),
        "site": (site, site_source),
        "language": language_of(text, declared),
        "canonical": next(_canonical(sources, base), ("", "")),
        "image": next(_image(sources, base), ("", "")),
        "license": next(_license(sources, base), ("", "")),
    }
    return Metadata(
        **{name: value for name, (value, _) in values.items()},
        sources={name: source for name, (_, source) in values.items() if source},
    )


def _canonical(sources: MetadataSources, base: str) -> Iterator[tuple[str, str]]:
    if "canonical" in sources.links:
        yield _absolute(sources.links["canonical"], base), "rel canonical"
    for name, content in sources.meta("og:url"):
        yield _absolute(content, base), f"meta {name}"


def _image(sources: MetadataSources, base: str) -> Iterator[tuple[str, str]]:
    for name, content in sources.meta("og:image", "og:image:url", "twitter:image", "twitter:image:src"):
        yield _absolute(content, base), f"meta {name}"
    for work in sources.works:
        image = work.get("image")
        image = image[0] if isinstance(image, list) and image else image
        image = image.get("url") if isinstance(image, dict) else image
        if isinstance(image, str) and image:
            yield _absolute(image, base), "json-ld image"


def _license(sources: MetadataSources, base: str) -> Iterator[tuple[str, str]]:
    if "license" in sources.links:
        yield _absolute(sources.links["license"], base), "rel license"
    for work in sources.works:
        if isinstance(work.get("license"), str):
            yield work["license"], "json-ld license"
    for name, content in sources.meta("dc.rights", "dcterms.license", "copyright"):
        yield content, f"meta {name}"


def _absolute(address: str, base: str) -> str:
    try:
        return urljoin(base, address.strip())
    except ValueError:
        return ""
