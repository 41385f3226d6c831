import { atOnce } from '../contracts/in-turns.js'
import { applyObject as applyInTurns } from './apply-object.js'
import { trackUpdate as trackInTurns } from './track-update.js'

/** Apply and update without yielding to other requests. */
export const applyObject = (...args: Parameters<typeof applyInTurns>) => atOnce(applyInTurns(...args))
export const trackUpdate = (...args: Parameters<typeof trackInTurns>) => atOnce(trackInTurns(...args))
