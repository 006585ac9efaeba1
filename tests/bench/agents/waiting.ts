// The program that does nothing but stay, until its input ends: what any compiled program holds.
await Deno.stdin.read(new Uint8Array(1));
