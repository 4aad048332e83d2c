"""Writes the tables that are read at the start of every command: kinds of characters, names of columns.

    python -m scripts.bake_tables

Both are made by functions of the package; where these change, the tests ask for this.
"""

from __future__ import annotations

from ruiji.features.blocks.families import COLUMNS, names_by_families
from ruiji.features.text.kinds import TABLES, tables_of_unicode


def main() -> None:
    TABLES.write_bytes(tables_of_unicode().to_bytes())
    COLUMNS.parent.mkdir(exist_ok=True)
    COLUMNS.write_text("\n".join(names_by_families()) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
