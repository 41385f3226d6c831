import type { ApiObject } from 'orch/sdk'
import { allFlag, dryRunOf } from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { changeObjectFlags } from '../objects/change-objects.js'
import { followObject } from '../objects/follow-object.js'
import { forEach } from '../objects/for-each.js'
import { selectObjects } from '../objects/select-objects.js'
import { writtenPrinter } from '../output/written.js'
import { UsageError } from '../usage-error.js'

interface Scalable extends ApiObject {
  spec?: { replicas?: number }
  status?: { replicas?: number; observedGeneration?: number }
}

export const scale: Command = {
  name: 'scale',
  summary: 'Change the number of Pods of a workload.',
  usage: '(TYPE NAME... | TYPE/NAME... | TYPE --all | -f FILE) --replicas N [flags]',
  examples: [
    ['To three Pods', 'scale deployment/web --replicas=3'],
    ['Only if there are two now', 'scale deployment/web --current-replicas=2 --replicas=3'],
  ],
  flags: [
    { name: 'replicas', kind: 'text', value: 'N', description: 'desired number of Pods' },
    { name: 'current-replicas', kind: 'text', value: 'N', description: 'only if this is the desired number now' },
    {
      name: 'resource-version',
      kind: 'text',
      value: 'VERSION',
      description: 'only if the object still has this resource version',
    },
    {
      name: 'timeout',
      kind: 'text',
      value: 'TIME',
      description: 'wait until this many Pods exist, at most this long: 30s, 5m',
    },
    allFlag,
    ...changeObjectFlags,
  ],
  async run(call) {
    const { flags, terminal } = call
    const replicas = flags.number('replicas')
    if (replicas === undefined) throw new UsageError('--replicas is required: --replicas=3')
    const expected = flags.number('current-replicas')
    const version = flags.text('resource-version')
    const timeoutMs = flags.durationMs('timeout') ?? 0
    const session = await call.session()
    const print = writtenPrinter(call)
    const dryRun = dryRunOf(flags)
    const fieldManager = flags.text('field-manager') ?? `${(await session.vendor()).profile.cli}-scale`
    const options = { type: 'merge', subresource: 'scale', fieldManager, dryRun: dryRun === 'server' } as const
    const selected = await selectObjects(call, session)
    return forEach(selected, terminal, async one => {
      if (!one.kind.subresources.includes('scale')) throw new UsageError(`${one.kind.resource} cannot be scaled`)
      const before = (await one.collection.get(one.name)) as Scalable
      const { resourceVersion } = before.metadata
      if (version !== undefined && version !== resourceVersion)
        throw new Error(`Expected resource version to be ${version}, was ${resourceVersion}`)
      if (expected !== undefined && expected !== before.spec?.replicas)
        throw new Error(`Expected replicas to be ${expected}, was ${before.spec?.replicas ?? 0}`)
      // The object that was checked must be the one that is changed.
      const guard = version === undefined && expected === undefined ? {} : { metadata: { resourceVersion } }
      if (dryRun !== 'client') await one.collection.patch(one.name, { ...guard, spec: { replicas } }, options)
      if (dryRun === 'none' && timeoutMs > 0) {
        const isDone = (object: ApiObject | undefined) =>
          (object as Scalable | undefined)?.status?.replicas === replicas
        const end = await followObject(one.collection, one.name, isDone, {
          endsAt: Date.now() + timeoutMs,
          signal: terminal.signal,
        })
        if (end === 'timeout') throw new Error(`timed out waiting for ${one.label} to have ${replicas} replicas`)
      }
      const scaled = { ...before, spec: { ...before.spec, replicas } }
      print(one, 'scaled', dryRun === 'none' ? await one.collection.get(one.name) : scaled)
    })
  },
}
