import { ResourceType } from '../../../kernel/index.js'
import type { ResourceDefinition } from '../../index.js'
import type { TypeSamples } from '../../plugin/conformance-samples.js'
import { type Check, type CheckSettings, forEachSeed } from './check.js'
import { expectSame } from './deep-freeze.js'
import { NoSample, type ProbeServer } from './probe-server.js'
import { randomOf, resourceName } from './type-checks.js'

const dryRunTries = 3

/** Single requests to a type: whatever is sent, the server responds; a dry run has no effect. */
export function requestChecks(resource: ResourceDefinition, probe: ProbeServer, settings: CheckSettings): Check[] {
  const subject = `resource ${resourceName(resource)}`
  const type = new ResourceType('conformance', resource)
  const version = type.version(resource.versions[0]?.name ?? '') ?? type.storage
  const verbs = new Set(type.verbs)
  const random: Check = {
    subject,
    title: 'no object causes a server error',
    run: () =>
      forEachSeed(settings, async seed => {
        const { metadata: _, ...fields } = randomOf(version, seed)
        const { status, text } = await probe.tryCreate(resource, { ...fields, metadata: { name: 'random' } })
        if (status >= 500) throw new Error(`POST returns ${status}: ${text.slice(0, 400)}`)
      }),
  }
  const dryRun: Check = {
    subject,
    title: 'dry runs of create, update and delete do not change the collection',
    async run() {
      const samples = await probe.samplesOf(resource, settings.seed).catch((thrown: Error) => thrown)
      if (samples instanceof NoSample) return 'there is no valid object'
      if (samples instanceof Error) throw samples
      await leavesNothing(resource, probe, samples)
    },
  }
  const isWhole = (['create', 'update', 'delete', 'list'] as const).every(verb => verbs.has(verb))
  return [...(verbs.has('create') ? [random] : []), ...(isWhole && !resource.virtual ? [dryRun] : [])]
}

/** Creates, changes and deletes a sample, each of the last two as a dry run first. */
export async function leavesNothing(
  resource: ResourceDefinition,
  probe: ProbeServer,
  { valid, update }: TypeSamples,
): Promise<void> {
  const sample = valid() as { metadata?: object }
  const made = { ...sample, metadata: { name: 'dry', ...sample.metadata } } as { metadata: { name: string } }
  const path = `/${made.metadata.name}`
  await unchanged(resource, probe, () => answered(probe.tryCreate(resource, made), 201))
  await answered(probe.send('POST', resource, '', made), 201)
  try {
    const changed = JSON.parse((await answered(probe.send('GET', resource, path), 200)).text)
    if (update) update(changed as never)
    else changed.metadata.labels = { ...changed.metadata.labels, 'conformance-change': 'made' }
    await unchanged(resource, probe, async () => {
      await answered(probe.send('PUT', resource, `${path}?dryRun=All`, changed), 200)
      const { status } = await probe.send('DELETE', resource, `${path}?dryRun=All`)
      if (status >= 300) throw new Error(`a dry run of DELETE returns ${status}`)
    })
    await answered(probe.send('PUT', resource, path, changed), 200)
    await updateSubresources(resource, probe, path)
  } finally {
    await probe.send('DELETE', resource, `${path}?gracePeriodSeconds=0`)
  }
}

/** Sends an object to its subresources as it is, so that controls for them see it. Some may refuse it, but none may fail. */
async function updateSubresources(
  { subresources = {}, ...resource }: ResourceDefinition,
  probe: ProbeServer,
  path: string,
) {
  for (const [name, { kind }] of Object.entries(subresources)) {
    if (kind !== 'update') continue
    const { text: current } = await answered(probe.send('GET', resource, path), 200)
    const { status, text } = await probe.send('PUT', resource, `${path}/${name}`, JSON.parse(current))
    if (status >= 500) throw new Error(`an update of ${name} returns ${status}: ${text}`)
  }
}

/** A list has the revision of the whole store, so a write anywhere is noticed. */
async function unchanged(resource: ResourceDefinition, probe: ProbeServer, work: () => Promise<unknown>) {
  for (let tries = 1; ; tries++) {
    const before = await probe.send('GET', resource, '')
    await work()
    const after = await probe.send('GET', resource, '')
    try {
      const what = 'a dry run had an effect: the collection changed'
      return expectSame(JSON.parse(after.text), JSON.parse(before.text), what)
    } catch (difference) {
      // Background work may still write now and then after the server has started.
      if (tries >= dryRunTries) throw difference
    }
  }
}

async function answered(work: ReturnType<ProbeServer['send']>, expected: number) {
  const answer = await work
  if (answer.status !== expected) throw new Error(`expected ${expected}, got ${answer.status}: ${answer.text}`)
  return answer
}
