"""The published JSON schemas of floe's own lineage facets, one file each; `docs/facets.md` is made from them."""
