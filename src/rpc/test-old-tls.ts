/** A client that is older than TLS 1.3, for the tests of whoever listens. */
import { connect } from "node:tls";

/** Answers what it was told, or "connected". It would believe anybody. */
export function dialWithOldTls(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, maxVersion: "TLSv1.2" });
    const end = (said: string): void => {
      socket.destroy();
      resolve(said);
    };
    socket.once("secureConnect", () => end("connected"));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

export const OLD_TLS_REFUSED = "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION";
