/** The client library of executors against an agent that does not take everything at once. */
import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { Executor } from "../../clients/framework/executor.ts";

const framed = (event: object): string => {
  const text = JSON.stringify(event);
  return `${Buffer.byteLength(text)}\n${text}`;
};

test("an update that the machine cannot take now is said again, also while the stream lasts [Z12]", async (t) => {
  const heard: string[] = [];
  let stream: ServerResponse | undefined;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const call = JSON.parse(text);
    if (call.type === "SUBSCRIBE") {
      stream = response.writeHead(200);
      stream.write(framed({ type: "LAUNCH", launch: { task: { task_id: { value: "t1" } } } }));
      return;
    }
    heard.push(call.update.status.state);
    response.writeHead(heard.length < 3 ? 503 : 202).end();
    if (heard.length === 3)
      stream?.write(framed({ type: "ACKNOWLEDGED", acknowledged: { task_id: { value: "t1" }, uuid: call.update.status.uuid } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    executor.stop();
    server.closeAllConnections();
    server.close();
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const executor = new Executor(
    { launch: (task) => executor.update(task.id, "TASK_FINISHED") },
    { MESOS_AGENT_ENDPOINT: address, MESOS_EXECUTOR_ID: "e", MESOS_FRAMEWORK_ID: "f" },
  );
  void executor.run();
  for (let tries = 0; heard.length < 3 && tries < 200; tries++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(heard, ["TASK_FINISHED", "TASK_FINISHED", "TASK_FINISHED"]);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  assert.equal(heard.length, 3, "What was taken is said no more");
});
