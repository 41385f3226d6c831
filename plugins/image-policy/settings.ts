import { type AdmissionConfiguration, Type } from 'orch/sdk'
import { readConfiguration } from 'orch/sdk/files'

export const controlName = 'ImagePolicyWebhook'

/** The `imagePolicy` section of the admission configuration. */
const Configuration = Type.Object({
  imagePolicy: Type.Object({
    kubeConfigFile: Type.String({ minLength: 1 }),
    allowTTL: Type.Integer({ default: 0 }),
    denyTTL: Type.Integer({ default: 0 }),
    retryBackoff: Type.Integer({ default: 0 }),
    defaultAllow: Type.Boolean({ default: false }),
  }),
})

export interface ImagePolicySettings {
  /** Absolute path of the client config file of the backend. */
  readonly path: string
  readonly allowTtlMs: number
  readonly denyTtlMs: number
  readonly retryBackoffMs: number
  /** Whether Pods are allowed when the backend does not respond. */
  readonly isAllowedByDefault: boolean
}

/** The unit, default and range of a time in the configuration. 0 means the default, -1 turns it off. */
interface TimeRule {
  readonly unitMs: number
  readonly defaultMs: number
  readonly minMs: number
  readonly maxMs: number
}
const secondMs = 1000
const minuteMs = 60 * secondMs
const allowTtl: TimeRule = { unitMs: secondMs, defaultMs: 5 * minuteMs, minMs: secondMs, maxMs: 30 * minuteMs }
const denyTtl: TimeRule = { ...allowTtl, defaultMs: 30 * secondMs }
const retryBackoff: TimeRule = { unitMs: 1, defaultMs: 500, minMs: 1, maxMs: 5 * minuteMs }

/** Reads the settings; undefined if there are none. Throws if they are invalid. */
export function readSettings(configuration: AdmissionConfiguration): ImagePolicySettings | undefined {
  const given = readConfiguration(configuration, controlName, Configuration)?.imagePolicy
  if (!given) return undefined
  return {
    path: configuration.pathFor(controlName, given.kubeConfigFile),
    allowTtlMs: timeOf('allowTTL', given.allowTTL, allowTtl),
    denyTtlMs: timeOf('denyTTL', given.denyTTL, denyTtl),
    retryBackoffMs: timeOf('retryBackoff', given.retryBackoff, retryBackoff),
    isAllowedByDefault: given.defaultAllow,
  }
}

function timeOf(name: string, value: number, { unitMs, defaultMs, minMs, maxMs }: TimeRule): number {
  if (value === -1) return 0
  if (value === 0) return defaultMs
  const ms = value * unitMs
  if (ms >= minMs && ms <= maxMs) return ms
  throw new Error(
    `the configuration of ${controlName}: ${name} must be between ${minMs / unitMs} and ${maxMs / unitMs}, or -1 to turn it off, not ${value}`,
  )
}
