import { checkSchedules } from "./schedules.ts";

Deno.test("whatever the editor and the service do, every request is answered once, in order", async () => {
  await checkSchedules(2000, Date.now() & 0x7fffffff);
});
