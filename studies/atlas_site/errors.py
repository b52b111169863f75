class AtlasError(Exception):
    """What went wrong, in words for the one who called studies/atlas."""
