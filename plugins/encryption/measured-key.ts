import { andThen, type Metrics } from 'orch/sdk'
import type { ValueKey } from './providers/value-key.js'

/** From five microseconds, doubling, to half a minute: KMS keys take longer. */
const buckets = Array.from({ length: 23 }, (_, power) => 5e-6 * 2 ** power)

/** The instruments, under the names of the reference. */
const instrumentsOf = (metrics: Metrics) => ({
  operations: metrics.counter(
    'apiserver_storage_transformation_operations_total',
    'Objects that were encrypted or decrypted, by prefix of the key and status.',
    ['transformation_type', 'transformer_prefix', 'status'],
  ),
  duration: metrics.histogram(
    'apiserver_storage_transformation_duration_seconds',
    'Duration of encrypting or decrypting an object, in seconds.',
    ['transformation_type', 'transformer_prefix'],
    buckets,
  ),
})

/** Wraps a key with metrics. */
export function measuredKey(key: ValueKey, metrics: Metrics | undefined): ValueKey {
  if (metrics === undefined) return key
  const { operations, duration } = instrumentsOf(metrics)
  const { prefix } = key
  // Frozen, so that metrics find them by identity: this runs for every object that is read.
  const labelsOf = (transformation_type: string) => ({
    place: Object.freeze({ transformation_type, transformer_prefix: prefix }),
    success: Object.freeze({ transformation_type, transformer_prefix: prefix, status: 'OK' }),
    failure: Object.freeze({ transformation_type, transformer_prefix: prefix, status: 'Unknown' }),
  })
  const [toStorage, fromStorage] = [labelsOf('to_storage'), labelsOf('from_storage')]
  const measured = <T>(labels: typeof toStorage, work: () => T | Promise<T>): T | Promise<T> => {
    const startedAt = performance.now()
    const end = () => duration.observe((performance.now() - startedAt) / 1000, labels.place)
    const succeeded = (made: T): T => {
      end()
      operations.inc(labels.success)
      return made
    }
    const failed = (error: unknown): never => {
      end()
      operations.inc(labels.failure)
      throw error
    }
    try {
      return andThen(work(), succeeded, failed)
    } catch (error) {
      return failed(error)
    }
  }
  return {
    prefix,
    ...(key.check === undefined ? {} : { check: key.check }),
    seal: (plain, context) => measured(toStorage, () => key.seal(plain, context)) as Buffer,
    open: (sealed, context) => measured(fromStorage, () => key.open(sealed, context)),
    ...(key.isOutdated ? { isOutdated: sealed => key.isOutdated!(sealed) } : {}),
  }
}
