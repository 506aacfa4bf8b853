/** One question to a task over the network. Whatever happens, there is one answer within the time given; no redirect is followed. */
import { get } from "node:http";
import { connect } from "node:net";

/** Empty: well; else what was wrong, in words. */
export function askHttp(host: string, port: number, path: string, timeoutMs: number): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    // Throws for a path that cannot be asked for.
    const request = get({ host, port, path, agent: false, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      response.destroy();
      const status = response.statusCode ?? 0;
      resolve(status >= 200 && status < 400 ? "" : `Answered ${status}`);
    });
    request.on("error", reject);
  }).catch((error: Error) =>
    error.name === "AbortError" || error.name === "TimeoutError" ? `No answer within ${timeoutMs} ms` : `Cannot be asked: ${error.message}`,
  );
}

/** Well when somebody takes the connection. Nothing is said over it. */
export function askTcp(host: string, port: number, timeoutMs: number): Promise<string> {
  return new Promise<string>((resolve) => {
    const socket = connect({ host, port });
    const answer = (problem: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(problem);
    };
    const timer = setTimeout(() => answer(`No connection within ${timeoutMs} ms`), timeoutMs);
    socket.on("connect", () => answer(""));
    socket.on("error", (error) => answer(`Cannot connect: ${error.message}`));
  });
}
