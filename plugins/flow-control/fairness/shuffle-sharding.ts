import { createHash } from 'node:crypto'

/** The number of hash bits that a hand may use. */
export const maxHandBits = 60

/**
 * The queues that a flow may use. Two flows rarely get the same hand, so a flow that fills its queues leaves others some free
 * ones. Each number of the hand is chosen among the remaining queues: with a hash of 12 and 5 queues, 12 % 5 = 2 comes first, and then,
 * of 0, 1, 3 and 4, the one at index 12 / 5 = 2, which is 3.
 */
export function dealHand(flow: string, queues: number, handSize: number): readonly number[] {
  let hash = createHash('sha256').update(flow).digest().readBigUInt64LE(0) >> BigInt(64 - maxHandBits)
  const hand: number[] = []
  for (let left = queues; left > queues - handSize; left--) {
    let card = Number(hash % BigInt(left))
    hash /= BigInt(left)
    for (const taken of [...hand].sort((one, other) => one - other)) if (taken <= card) card++
    hand.push(card)
  }
  return hand
}
