import { type FieldError, invalidValue } from 'orch/sdk'
import { checkNotNegative } from 'orch/sdk/core'
import { isValidPercent } from 'orch/sdk/validation'

/** A number of Pods, or a percentage of them such as `25%`. */
export type Share = number | string

/** A number that is not negative, or a percentage. */
export const validateShare = (share: Share | undefined, field: string): FieldError[] =>
  typeof share === 'string'
    ? isValidPercent(share).map(text => invalidValue(field, share, text))
    : checkNotNegative(share, field)

/** A percentage must not exceed 100%. */
export const checkAtMostAll = (share: Share | undefined, field: string): FieldError[] =>
  typeof share === 'string' && isValidPercent(share).length === 0 && Number(share.slice(0, -1)) > 100
    ? [invalidValue(field, share, 'must not be greater than 100%')]
    : []

/** The number in the share, of Pods or of percent, even if it is a text that should be none; 0 if there is no number. */
export const shareNumber = (share: Share | undefined): number =>
  typeof share === 'number' ? share : /^(?:[+-]?\d+|\d+%)$/.test(share ?? '') ? Number.parseInt(share!, 10) : 0
