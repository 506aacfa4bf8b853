/** Packages: how they are named, and which of them a spec asks for. */
import { type JobSpec, Operator, type PackageRef, type TaskSpec } from "../wire/gen/borg/v1/spec_pb.ts";
import { IMAGES_ABLE, packagePath } from "../wire/spec-defaults.ts";

const DIGEST = /^[0-9a-f]{64}$/;
/** Nobody's packages may be there. */
const TAKEN = ["/proc", "/dev", "/sys", "/borg", "/tmp"] as const;

export const isDigest = (text: string): boolean => DIGEST.test(text);

/** As its owner's record knows it. */
export const packageKey = (name: string, digest: string): string => `${name}@${digest}`;

/** Whose it is: a job that does not say means its own user's. */
export const packageOwner = ({ user }: PackageRef, spec: Pick<JobSpec, "user">): string => (user === "" ? spec.user : user);

/** What is wrong with where packages go in a task, whether they exist or not. */
export function packagePathProblem({ packages, files }: Pick<TaskSpec, "packages" | "files">): string | undefined {
  for (const { path } of packages) {
    const taken = TAKEN.find((each) => path === each || path.startsWith(`${each}/`));
    if (taken !== undefined) return `Cannot put a package at "${path}": "${taken}" is not the task's; leave the path out, or name another`;
  }
  const paths = packages.filter(({ root }) => !root).map(packagePath);
  const covered = files.find((file) => paths.some((path) => file.path === path || file.path.startsWith(`${path}/`)));
  if (covered !== undefined) return `File "${covered.path}" would lie in a package, which is read-only: give one of them another path`;
  for (const [i, path] of paths.entries())
    for (const other of paths.slice(i + 1))
      if (path === other || path.startsWith(`${other}/`) || other.startsWith(`${path}/`))
        return `Packages at "${path}" and "${other}" are in each other's way: give each a path of its own`;
  return undefined;
}

/** Whether its "/" is that of an image. */
export const hasImage = ({ packages }: Pick<TaskSpec, "packages">): boolean => packages.some(({ root }) => root);

/**
 * What is wrong with a job's image, whether it exists or not. The constraint is asked for because a machine that knows no images would not even understand an order without a command.
 */
export function imageProblem({ task, constraints }: Pick<JobSpec, "task" | "constraints">): string | undefined {
  const [image, other] = task?.packages.filter(({ root }) => root) ?? [];
  if (image === undefined) return undefined;
  if (other !== undefined) return `A task has one image: "${image.name}" and "${other.name}" cannot both be its root; leave one out`;
  if (image.path !== "")
    return `Image "${image.name}" is the root of the task: it cannot be at "${image.path}" as well; leave the path out`;
  const { attribute, value } = IMAGES_ABLE;
  const isAsked = constraints.some(
    (each) => each.attribute === attribute && !each.soft && each.operator === Operator.EQUAL && each.values.join() === value,
  );
  return isAsked
    ? undefined
    : `A job with an image needs the constraint ${attribute} = ${value}: not every machine can give a task another root`;
}
