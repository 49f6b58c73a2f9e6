"""Batches from one's own code: a recorder for any program, and a plug-in of pytest. Offered to others as `runcite`."""
