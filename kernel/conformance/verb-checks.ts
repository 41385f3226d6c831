import type { ResourceDefinition } from 'orch/sdk'
import { resourceConformance } from 'orch/sdk/testing'
import type { AdmissionWatch } from './admission-watch.js'
import type { Check, CheckSettings } from './check.js'
import type { PluginUnderTest } from './plugin-under-test.js'
import type { ProbeServer } from './probe-server.js'
import { nameOf } from './type-checks.js'

/** The whole battery of the API, with the plugin's admission controls under watch. */
export async function verbChecks(
  resource: ResourceDefinition,
  plugin: PluginUnderTest,
  probe: ProbeServer,
  watch: AdmissionWatch,
  { seed }: CheckSettings,
): Promise<Check[]> {
  if (resource.virtual || (resource.verbs && !resource.verbs.includes('create'))) return []
  const subject = `resource ${nameOf(resource)}`
  let samples: Awaited<ReturnType<ProbeServer['samplesOf']>>
  try {
    samples = await probe.samplesOf(resource, seed)
  } catch (thrown) {
    const fail = () => {
      throw thrown
    }
    return [{ subject, title: 'there is a valid object to try the API with', run: fail }]
  }
  const cases = resourceConformance({
    resource,
    plugins: [...plugin.others, watch.watched(plugin.entry)],
    isRegistered: true,
    // Loops would change objects between two steps. But what holds an object, only a loop lets go.
    options: { ...plugin.samples.options, ...(resource.deletion?.isHeld ? {} : { controllers: [] }) },
    valid: samples.valid,
    ...(samples.invalid ? { invalid: samples.invalid as never } : {}),
    ...(samples.update ? { update: samples.update as never } : {}),
  })
  return cases.map(({ name, run }, index) => ({
    subject,
    title: name.replace(`${resource.kind}: `, ''),
    run,
    isCleanup: index === cases.length - 1,
  }))
}
