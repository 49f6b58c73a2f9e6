"""Pure arithmetic on plain numbers: no frames, no files, no state."""
