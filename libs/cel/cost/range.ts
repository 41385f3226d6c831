/** A range of sizes or of costs. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** Everything above this counts as unbounded. */
export const unbounded = 2 ** 64

const bounded = (value: number): number => Math.min(value, unbounded)

export const exactly = (value: number): Range => ({ min: value, max: value })
export const unknownRange: Range = { min: 0, max: unbounded }
export const zero = exactly(0)

export const add = (...ranges: readonly Range[]): Range => ({
  min: bounded(ranges.reduce((sum, { min }) => sum + min, 0)),
  max: bounded(ranges.reduce((sum, { max }) => sum + max, 0)),
})
export const multiply = (one: Range, other: Range): Range => ({
  min: bounded(one.min * other.min),
  max: bounded(one.max * other.max),
})
/** Multiplies by a factor and rounds up. */
export const scale = ({ min, max }: Range, factor: number): Range => ({
  min: bounded(Math.ceil(min * factor)),
  max: bounded(Math.ceil(max * factor)),
})
export const union = (one: Range, other: Range): Range => ({
  min: Math.min(one.min, other.min),
  max: Math.max(one.max, other.max),
})
