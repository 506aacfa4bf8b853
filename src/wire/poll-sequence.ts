/**
 * How the polls of several link shards stand in one order: a sequence begins with the epoch in which the machines were shared out. A borglet compares (term, sequence) and need not know of epochs,
 * so one of an older build obeys no older shard either.
 */

/** More polls than a shard sends in an epoch; epochs up to a million times as many are whole numbers in a double. */
const POLLS_OF_EPOCH = 2 ** 32;

/** Below every sequence of this epoch, and above all of earlier ones. */
export const firstSequence = (epoch: number): number => epoch * POLLS_OF_EPOCH;

export const epochOf = (sequence: number): number => Math.floor(sequence / POLLS_OF_EPOCH);
