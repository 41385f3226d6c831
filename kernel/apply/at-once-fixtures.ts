import { atOnce } from '../contracts/in-turns.js'
import { applyObject as applyInTurns } from './apply-object.js'
import { trackUpdate as trackInTurns } from './track-update.js'
import { unchangedObject as compareInTurns } from './unchanged-times.js'

/** Apply, update and their comparison with the stored object, without yielding to other requests. */
export const applyObject = (...args: Parameters<typeof applyInTurns>) => atOnce(applyInTurns(...args))
export const trackUpdate = (...args: Parameters<typeof trackInTurns>) => atOnce(trackInTurns(...args))
export const unchangedObject = (...args: Parameters<typeof compareInTurns>) => atOnce(compareInTurns(...args))
