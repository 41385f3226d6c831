import type { Logger } from 'orch/sdk'
import { Losses } from '../observe/losses.js'
import type { AuditSink } from './audit.js'

export interface TruncationParts {
  /** Where the events go, for the log. */
  readonly what: string
  readonly maxEventBytes: number
  /** Annotation of an event that has lost its bodies. */
  readonly annotation: string
  /** Whether a request is rejected if its event is too large even without bodies. */
  readonly isStrict: boolean
  readonly logger: Logger
  /** Called for every event that is too large even without its bodies. */
  onLoss(events: number): void
}

/** Events that are too large lose their bodies; those that are too large even then are dropped and counted. */
export function truncating(sink: AuditSink, parts: TruncationParts): AuditSink {
  const { maxEventBytes, annotation, isStrict, what, logger, onLoss } = parts
  const losses = new Losses(what, logger, onLoss)
  const isTooLarge = (event: string) => Buffer.byteLength(event) > maxEventBytes
  return {
    ...(sink.open ? { open: () => sink.open!() } : {}),
    close: () => sink.close(),
    write(event, withoutBodies) {
      if (!isTooLarge(event)) return sink.write(event, withoutBodies)
      const shorter = withoutBodies({ [annotation]: 'true' })
      if (isTooLarge(shorter)) {
        const why = `an event is larger than ${maxEventBytes} bytes`
        losses.add(1, why)
        return isStrict ? Promise.reject(new Error(why)) : undefined
      }
      losses.over()
      return sink.write(shorter, withoutBodies)
    },
  }
}
