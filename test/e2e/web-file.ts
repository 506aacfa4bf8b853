/** A service of six tasks that is changed under load. */

/** Takes what it has begun to its end: when it is told to stop it no longer listens, and is gone with its last answer. */
const SERVER = `
const server = require("http").createServer((asked, answer) => setTimeout(() => answer.end(process.env.VERSION), 20));
server.listen(process.env.BORG_PORT_HTTP);
process.on("SIGTERM", () => server.close(() => process.exit(0)));
`;

/** `lameDuck`: how long a task still serves that is no longer named. */
export const webFile = (version: string, lameDuck: string): string => `job web = {
  command = ["node", "/srv/server.js"]
  files = { "/srv/server.js" = ${JSON.stringify(SERVER)} }
  env = { VERSION = "${version}" }
  count = 6
  ports = ["http"]
  ready = { port = "http", path = "/", interval = 1s }
  lame_duck = ${lameDuck}
  notice = 5s
  update = { batch = 2, watch = 300ms }
  down_max = 2
  cpu = 20m
  ram = 96Mi
  disk = 10Mi
}
`;
