import { type AdmissionConfiguration, defineService, type Static, services, serviceToken, Type } from 'orch/sdk'
import { readConfiguration } from 'orch/sdk/files'
import { isDns1123Label, isDns1123Subdomain } from 'orch/sdk/validation'
import { type Mode, modes, type PodSecurityNames } from '../names.js'
import { parseLevel, parseVersion } from '../standards/level.js'
import type { Policy } from './namespace-policy.js'

const Texts = Type.Array(Type.String({ minLength: 1 }), { default: [], uniqueItems: true })
const LevelText = Type.String({ default: 'privileged' })
const VersionText = Type.String({ default: 'latest' })
const Configuration = Type.Object(
  {
    defaults: Type.Object(
      {
        enforce: LevelText,
        'enforce-version': VersionText,
        audit: LevelText,
        'audit-version': VersionText,
        warn: LevelText,
        'warn-version': VersionText,
      },
      { additionalProperties: false, default: {} },
    ),
    exemptions: Type.Object(
      { usernames: Texts, runtimeClasses: Texts, namespaces: Texts },
      { additionalProperties: false, default: {} },
    ),
  },
  { additionalProperties: false },
)
type Configuration = Static<typeof Configuration>

/** The configuration for all namespaces. */
export interface PodSecuritySettings {
  /** For namespaces without labels. */
  readonly defaults: Policy
  readonly exempt: {
    readonly users: ReadonlySet<string>
    readonly runtimeClasses: ReadonlySet<string>
    readonly namespaces: ReadonlySet<string>
  }
}
export const podSecuritySettings = serviceToken<PodSecuritySettings>('podSecuritySettings')

export const settingsService = (names: PodSecurityNames) =>
  defineService({
    token: podSecuritySettings,
    needs: { configuration: services.admissionConfiguration },
    create: ({ configuration }) => readSettings(configuration, names),
  })

const control = 'PodSecurity'
const nothing: AdmissionConfiguration = { of: () => ({}), pathFor: (_, file) => file }

/** Reads the configuration of the control. Throws an error that says what is wrong with it. */
export function readSettings(configuration: AdmissionConfiguration, names: PodSecurityNames): PodSecuritySettings {
  const { defaults, exemptions } = (readConfiguration(configuration, control, Configuration, names.configurations) ??
    readConfiguration(nothing, control, Configuration)) as Configuration
  const { usernames, runtimeClasses, namespaces } = exemptions
  checkNames('runtimeClasses', runtimeClasses, isDns1123Subdomain)
  checkNames('namespaces', namespaces, isDns1123Label)
  return {
    defaults: Object.fromEntries(modes.map(mode => [mode, standardOf(defaults, mode)])) as Policy,
    exempt: {
      users: new Set(usernames),
      runtimeClasses: new Set(runtimeClasses),
      namespaces: new Set(namespaces),
    },
  }
}

/** An exemption with an invalid name would have no effect, so it is an error. */
function checkNames(field: string, names: readonly string[], problemsOf: (name: string) => readonly string[]): void {
  const broken = names.findIndex(name => problemsOf(name).length > 0)
  if (broken >= 0)
    throw new Error(`the configuration of ${control} is wrong at /exemptions/${field}/${broken}: the name is invalid`)
}

function standardOf(defaults: Configuration['defaults'], mode: Mode): Policy[Mode] {
  const level = parseLevel(defaults[mode] || 'privileged')
  const version = parseVersion(defaults[`${mode}-version`] || 'latest')
  const broken = level === undefined ? mode : `${mode}-version`
  if (level === undefined || version === undefined)
    throw new Error(`the configuration of ${control} is wrong at /defaults/${broken}: no such value`)
  return { level, version }
}
