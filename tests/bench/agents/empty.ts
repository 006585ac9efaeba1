// The program that does nothing: what any compiled program costs.
