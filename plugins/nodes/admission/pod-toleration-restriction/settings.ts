import { type AdmissionConfiguration, defineService, services, serviceToken, Type } from 'orch/sdk'
import { type Toleration, validateTolerations } from 'orch/sdk/core'
import { readConfiguration } from 'orch/sdk/files'
import type { NodeNames } from '../../names.js'

const Text = Type.Optional(Type.String())
const Tolerations = Type.Array(
  Type.Object(
    { key: Text, operator: Text, value: Text, effect: Text, tolerationSeconds: Type.Optional(Type.Integer()) },
    { additionalProperties: false },
  ),
  { default: [] },
)
const Configuration = Type.Object({ default: Tolerations, whitelist: Tolerations }, { additionalProperties: false })

/** The configuration for namespaces without annotations. */
export interface TolerationSettings {
  readonly defaultTolerations: readonly Toleration[]
  /** Empty allows all. */
  readonly allowed: readonly Toleration[]
}
export const tolerationSettings = serviceToken<TolerationSettings>('tolerationSettings')

export const tolerationService = (names: NodeNames) =>
  defineService({
    token: tolerationSettings,
    needs: { configuration: services.admissionConfiguration },
    create: ({ configuration }) => readSettings(configuration, names),
  })

/** Reads the configuration of the control. Throws an error that describes the problem. */
export function readSettings(
  configuration: AdmissionConfiguration,
  { tolerationConfigurations }: NodeNames,
): TolerationSettings {
  const given = readConfiguration(configuration, 'PodTolerationRestriction', Configuration, tolerationConfigurations)
  const { default: defaultTolerations = [], whitelist: allowed = [] } = given ?? {}
  const [wrong] = [...validateTolerations(defaultTolerations, 'default'), ...validateTolerations(allowed, 'whitelist')]
  if (wrong)
    throw new Error(`the configuration of PodTolerationRestriction is invalid at ${wrong.field}: ${wrong.detail}`)
  return { defaultTolerations, allowed }
}
