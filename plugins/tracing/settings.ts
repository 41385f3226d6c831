import { readFile } from 'node:fs/promises'
import type { Vendor } from 'orch/sdk'
import { readYaml } from 'orch/sdk/files'
import type { TracingOptions } from './options.js'

export interface TracingSettings {
  /** The URL for OTLP over HTTP. */
  readonly url: string
  readonly samplingRatePerMillion: number
  /** Whether requests with the sampled flag are traced whatever the rate. */
  readonly trustsClients: boolean
}

const million = 1_000_000
const usualPath = '/v1/traces'

/** The settings of flags and file; flags take precedence. Rejects if they are invalid. */
export async function tracingSettings(options: TracingOptions, vendor: Vendor): Promise<TracingSettings> {
  const { tracingConfigFile: path } = options
  const file = path === undefined ? {} : parseConfiguration(await readFile(path, 'utf8'), path, vendor)
  const endpoint = options.tracingEndpoint ?? file.endpoint
  if (endpoint === undefined) throw new Error(`${path} names no endpoint, and there is no --tracing-endpoint`)
  return {
    url: addressOf(endpoint),
    samplingRatePerMillion: options.tracingSamplingRatePerMillion || (file.samplingRatePerMillion ?? 0),
    trustsClients: options.tracingTrustClients,
  }
}

interface FileSettings {
  readonly endpoint?: string
  readonly samplingRatePerMillion?: number
}

/** Reads the format of the reference, in any of its versions. */
export function parseConfiguration(text: string, path: string, vendor: Vendor): FileSettings {
  const [document] = readYaml(text).documents
  const broken = (why: string) => new Error(`the tracing configuration ${path} ${why}`)
  if (typeof document !== 'object' || document === null || Array.isArray(document)) throw broken('must be an object')
  const { apiVersion, kind, endpoint, samplingRatePerMillion, ...others } = document as Record<string, unknown>
  const versions = ['v1', 'v1beta1', 'v1alpha1'].map(version => `${vendor.group('apiserver.config')}/${version}`)
  if (kind !== 'TracingConfiguration') throw broken('must be of kind TracingConfiguration')
  if (!versions.includes(String(apiVersion))) throw broken(`must have an apiVersion of ${versions.join(', ')}`)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw broken(`has an unknown field ${unknown}`)
  if (endpoint !== undefined && (typeof endpoint !== 'string' || endpoint === ''))
    throw broken('endpoint must be a non-empty string')
  const rate = samplingRatePerMillion
  if (rate !== undefined && !(Number.isInteger(rate) && (rate as number) >= 0 && (rate as number) <= million))
    throw broken(`samplingRatePerMillion must be an integer between 0 and ${million}`)
  return {
    ...(endpoint === undefined ? {} : { endpoint: endpoint as string }),
    ...(rate === undefined ? {} : { samplingRatePerMillion: rate as number }),
  }
}

/** `collector:4318` is `http://collector:4318/v1/traces`. */
export function addressOf(endpoint: string): string {
  const text = /^https?:\/\//.test(endpoint) ? endpoint : `http://${endpoint}`
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new Error(
      `"${endpoint}" is not an endpoint for traces: use host:port or a URL such as https://host/v1/traces`,
    )
  }
  if (url.pathname === '/') url.pathname = usualPath
  return url.href
}
