/**
 * Words that other systems use for what a field here says. Whoever comes from Kubernetes, Nomad, compose or Slurm writes them first, and
 * no spelling is near enough to guess what was meant.
 */

/** What the word is called here: a field, or what to do instead. */
type Meaning = { readonly field: string } | { readonly instead: string };

const field = (name: string, words: string): readonly (readonly [string, Meaning])[] =>
  words.split(" ").map((word) => [word, { field: name }]);
const instead = (text: string, words: string): readonly (readonly [string, Meaning])[] =>
  words.split(" ").map((word) => [word, { instead: text }]);

const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ...field("ram", "memory mem memory_mb mem_limit memory_limit"),
  ...field("cpu", "cpus cores vcpu vcpus cpu_limit millicores"),
  ...field("disk", "storage ephemeral_storage ephemeral_disk disk_space"),
  ...field("count", "replicas instances num_tasks ntasks parallelism completions size"),
  ...field("env", "environment envs env_vars variables vars"),
  ...field("command", "cmd entrypoint exec program run script binary"),
  ...field("restart", "restart_policy restartpolicy"),
  ...field("start_after", "depends_on dependson dependencies depends after requires"),
  ...field("health", "healthcheck health_check check checks liveness livenessprobe liveness_probe probe"),
  ...field("ready", "readiness readinessprobe readiness_probe ready_check"),
  ...field("lame_duck", "prestop pre_stop shutdown_delay drain_delay"),
  ...field("constraints", "affinity node_selector nodeselector constraint tolerations"),
  ...field("labels", "tags meta metadata annotations"),
  ...field("volumes", "volume volume_mounts volumemounts mounts binds"),
  ...field("files", "configs config configmap config_maps template templates"),
  ...field("secrets", "secret vault"),
  ...field("user", "namespace owner account"),
  ...field("deadline", "timeout time_limit ttl activedeadlineseconds max_runtime walltime"),
  ...field("notice", "grace_period stop_grace_period kill_timeout terminationgraceperiodseconds"),
  ...field("priority", "priority_class priorityclassname qos"),
  ...field("per_machine", "daemonset daemon global system"),
  ...field("update", "strategy rolling_update update_config rollout"),
  ...field("down_max", "max_unavailable disruption_budget"),
  ...field("disk_bandwidth", "iops bandwidth io"),
  ...instead("the program's arguments stand in command, behind the program", "args arguments"),
  ...instead(
    'a task runs a program of the machine, or of an image that was pushed: image = "name@hash" (borg package push --oci)',
    "container docker driver runtime",
  ),
  ...instead("cpu, ram and disk stand in the job itself, without a tuple around them", "resources limits requests reservations"),
  ...instead('name it: ports = ["http"]; the cell picks the number, and the task finds it in BORG_PORT_HTTP', "port expose hostport"),
  ...instead("devices = { gpu = 1 }, or extras = { gpu = 1 } where machines only count them", "gpu gpus"),
  ...instead("tasks use the network of their machine, on the ports that the cell picks: ports", "network networks network_mode"),
  ...instead(
    'a task begins in a directory of its own; to go elsewhere: command = ["/bin/sh", "-c", "cd /srv && exec ./server"]',
    "workdir working_dir workingdir cwd",
  ),
]);

export interface ForeignWord {
  /** `did you mean "ram"?`, where one field says the same. */
  readonly suggestion: string;
  /** What to do, where no field does. */
  readonly hint: string | undefined;
}

/** What the word means here; undefined where it is none of theirs, or where this kind of thing has no such field. */
export function foreignWord(found: string, known: readonly string[]): ForeignWord | undefined {
  const meaning = MEANINGS.get(found.toLowerCase().replaceAll("-", "_"));
  if (meaning === undefined) return undefined;
  if ("instead" in meaning) return known.includes("command") ? { suggestion: "", hint: meaning.instead } : undefined;
  return known.includes(meaning.field) ? { suggestion: `; did you mean "${meaning.field}"?`, hint: undefined } : undefined;
}
