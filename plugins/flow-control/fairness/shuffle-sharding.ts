import { createHash } from 'node:crypto'

/** A hand is dealt from so many bits of a hash at most. */
export const maxHandBits = 60

/**
 * The queues that a flow may use. Two flows rarely get the same hand, so one that fills its queues leaves others some that
 * are free. Each number of the hand is one among the cards that are left: a hash of 12 and 5 queues deal 2 and then, of
 * 0, 1, 3 and 4, the one at 12 / 5 = 2: 3.
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
