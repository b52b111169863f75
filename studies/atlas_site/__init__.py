"""The parts of studies/atlas: compute runs the program, charts and levels draw, pages writes HTML."""
