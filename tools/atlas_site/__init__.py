"""The parts of tools/atlas: compute runs the program, charts draws, pages writes HTML."""
