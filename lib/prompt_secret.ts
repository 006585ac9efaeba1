// @ts-types="./declarations/prompt_secret.d.ts"
export { promptSecret } from "@std/cli/prompt-secret";
