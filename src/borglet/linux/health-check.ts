/** One question to a task's health URL. Whatever happens, there is one answer within the time given. */
import { get } from "node:http";

/** Empty: well; else what was wrong, in words. */
export function askHealth(host: string, port: number, path: string, timeoutMs: number): Promise<string> {
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
