"""Writes the site: the MkDocs builds, API, manifest, the last pass, the exchange with the old site."""
