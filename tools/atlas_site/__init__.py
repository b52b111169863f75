"""The parts of tools/atlas: compute runs the program, charts and levels draw, pages writes HTML."""
