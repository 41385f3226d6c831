import type { ApiObject } from 'orch/sdk'
import { dryRunFlag, dryRunOf, fieldManagerFlag, fileFlags, printFlags } from '../arguments/shared-flags.js'
import type { Call, Command } from '../command.js'
import { jsonPatched, mergedBy, strategicMerged } from '../objects/apply-patch.js'
import { changeLocal, localFlag } from '../objects/change-local.js'
import { forEach } from '../objects/for-each.js'
import { mergePatch } from '../objects/merge-patch.js'
import { selectObjects } from '../objects/select-objects.js'
import { subresourceFlag } from '../objects/subresource.js'
import { writtenPrinter } from '../output/written.js'
import { parseYamlDocuments } from '../output/yaml-text.js'
import { readFile } from '../read-file.js'
import { UsageError } from '../usage-error.js'

export const patch: Command = {
  name: 'patch',
  summary: 'Change fields of an object.',
  usage: '(TYPE NAME | TYPE/NAME | -f FILE) (-p PATCH | --patch-file FILE) [flags]',
  examples: [
    ['Set a field; the patch may be JSON or YAML', `patch configmap settings -p '{"data":{"mode":"fast"}}'`],
    ['Remove one', `patch configmap/settings --type=merge -p '{"data":{"mode":null}}'`],
    ['As a list of operations', `patch cm/settings --type=json -p '[{"op":"remove","path":"/data/mode"}]'`],
    ['A subresource', `patch widget/a --subresource=status --type=merge -p '{"status":{"ready":true}}'`],
  ],
  flags: [
    { name: 'patch', short: 'p', kind: 'text', value: 'PATCH', description: 'the patch' },
    { name: 'patch-file', kind: 'text', value: 'FILE', description: 'a file with the patch' },
    {
      name: 'type',
      kind: 'text',
      value: 'TYPE',
      description: 'strategic (the default), merge or json',
      choices: ['strategic', 'merge', 'json'],
    },
    subresourceFlag('patch this subresource: status'),
    localFlag,
    ...fileFlags,
    dryRunFlag,
    fieldManagerFlag,
    ...printFlags,
  ],
  async run(call) {
    const { flags, terminal } = call
    const type = flags.choice('type', ['strategic', 'merge', 'json'] as const) ?? 'strategic'
    const body = patchOf(call)
    if (flags.is('local')) return changeLocal(call, 'patched', object => patchedHere(object, body, type))
    const session = await call.session()
    const print = writtenPrinter(call)
    const fieldManager = flags.text('field-manager') ?? `${(await session.vendor()).profile.cli}-patch`
    const dryRun = dryRunOf(flags)
    if (dryRun === 'client' && type !== 'merge')
      throw new UsageError(`a ${type} patch cannot be applied in the client: use --dry-run=server, or --type=merge`)
    const options = { type, fieldManager, dryRun: dryRun === 'server', subresource: flags.text('subresource') }
    return forEach(await selectObjects(call, session), terminal, async one => {
      const before = await one.collection.get(one.name)
      const after = dryRun === 'client' ? mergedBy(body, before) : await one.collection.patch(one.name, body, options)
      const isSame =
        dryRun === 'none'
          ? before.metadata.resourceVersion === after.metadata.resourceVersion
          : mergePatch(before, after) === undefined
      print(one, isSame ? 'patched (no change)' : 'patched', after)
    })
  },
}

function patchOf({ flags }: Call): unknown {
  const file = flags.text('patch-file')
  const text = flags.text('patch') ?? (file === undefined ? undefined : readFile(file).toString('utf8'))
  if (text === undefined) throw new UsageError('say what to change: -p \'{"data":{}}\' or --patch-file FILE')
  const [body] = parseYamlDocuments(text, 'the patch')
  if (typeof body !== 'object')
    throw new UsageError('the patch must be a JSON or YAML object (a list with --type=json)')
  return body
}

/** The patched object, without a server. Strategic merge knows only the merge keys of Pods here. */
function patchedHere(object: ApiObject, body: unknown, type: 'strategic' | 'merge' | 'json'): ApiObject {
  if (type === 'json') return jsonPatched(object, body, 'the patch')
  return type === 'merge' ? mergedBy(body, object) : strategicMerged(object, body, 'the patch')
}
