import { type AdmissionConfiguration, defineService, services, serviceToken, Type } from 'orch/sdk'
import { readConfiguration } from 'orch/sdk/files'
import { parseNodeSelector } from './node-selector-text.js'

const control = 'PodNodeSelector'
const Configuration = Type.Object({ podNodeSelectorPluginConfig: Type.Record(Type.String(), Type.String()) })
/** The key of the default selector, among keys that are namespaces. */
const defaultKey = 'clusterDefaultNodeSelector'

type Labels = Readonly<Record<string, string>>
/** The configuration of the administrator. */
export interface NodeSelectorSettings {
  /** For Pods in namespaces without the annotation. */
  readonly defaultSelector: Labels
  /** The only labels that Pods of a namespace may select by; any where there is no entry. */
  readonly allowed: ReadonlyMap<string, Labels>
}
export const nodeSelectorSettings = serviceToken<NodeSelectorSettings>('nodeSelectorSettings')

export const nodeSelectorService = defineService({
  token: nodeSelectorSettings,
  needs: { configuration: services.admissionConfiguration },
  create: ({ configuration }) => readSettings(configuration),
})

/** Reads the configuration of the control. Throws an error that describes the problem. */
export function readSettings(configuration: AdmissionConfiguration): NodeSelectorSettings {
  const given = readConfiguration(configuration, control, Configuration)?.podNodeSelectorPluginConfig ?? {}
  const selectors = Object.entries(given).map(([key, text]): [string, Labels] => {
    const labels = parseNodeSelector(text)
    if (!labels) throw new Error(`the configuration of ${control} has an invalid node selector at ${key}: "${text}"`)
    return [key, labels]
  })
  const allowed = selectors.filter(([key, labels]) => key !== defaultKey && Object.keys(labels).length > 0)
  return { defaultSelector: Object.fromEntries(selectors)[defaultKey] ?? {}, allowed: new Map(allowed) }
}
