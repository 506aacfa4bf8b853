import assert from "node:assert/strict";
import { test } from "node:test";
import { loginName } from "./login.ts";

test("A login becomes a name that a cell takes, also one with capitals, and a user id without a name [X1]", () => {
  assert.equal(
    loginName(() => "Ann_B.Lee"),
    "ann-b-lee",
  );
  assert.equal(
    loginName(() => {
      throw new Error("uv_os_get_passwd returned ENOENT");
    }),
    "user",
  );
  assert.equal(loginName(() => "__").length, 4, "never empty");
});
