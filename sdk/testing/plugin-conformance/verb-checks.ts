import type { ResourceDefinition } from '../../index.js'
import { resourceConformance } from '../resource-conformance.js'
import type { Check, CheckSettings } from './check.js'
import type { ProbeServer } from './probe-server.js'
import { resourceName } from './type-checks.js'

/** The whole battery of the API. */
export async function verbChecks(
  resource: ResourceDefinition,
  probe: ProbeServer,
  { seed }: CheckSettings,
): Promise<Check[]> {
  if (resource.virtual || (resource.verbs && !resource.verbs.includes('create'))) return []
  const subject = `resource ${resourceName(resource)}`
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
    server: () => probe.server(),
    valid: samples.valid,
    ...(samples.invalid ? { invalid: samples.invalid as never } : {}),
    ...(samples.mayCreateStatus ? { mayCreateStatus: true } : {}),
    ...(samples.update ? { update: samples.update as never } : {}),
  })
  return cases.map(({ name, run }) => ({ subject, title: name.replace(`${resource.kind}: `, ''), run }))
}
