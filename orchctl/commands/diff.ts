import type { ApiObject } from 'orch/sdk'
import { fieldManagerFlag, fileFlags } from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { forEach } from '../objects/for-each.js'
import { placeObject } from '../objects/place-object.js'
import { readManifests } from '../objects/read-manifests.js'
import { hideSecrets } from '../output/hide-secrets.js'
import type { Painter } from '../output/painter.js'
import { textDiff } from '../output/text-diff.js'
import { yamlText } from '../output/yaml-text.js'

export const diff: Command = {
  name: 'diff',
  summary: 'Show what apply would change. Exit code 1 means there are differences, more means trouble.',
  usage: '-f FILE [flags]',
  examples: [
    ['Before applying', 'diff -f settings.yaml'],
    ['Of a whole folder', 'diff -R -f manifests/'],
  ],
  flags: [
    ...fileFlags,
    fieldManagerFlag,
    { name: 'force-conflicts', kind: 'switch', means: 'as if fields that others own were taken over' },
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, world } = call
    const manifests = await readManifests(flags, world)
    const session = await call.session()
    const kinds = await session.kinds()
    const fieldManager = flags.text('field-manager') ?? (await session.vendor()).profile.cli
    let differs = false
    const placed = manifests.map(manifest => placeObject(manifest, kinds, session, flags))
    const failure = await forEach(placed, world, async ({ object, collection, label }) => {
      const live = await collection.find(object.metadata.name ?? '')
      const force = flags.is('force-conflicts')
      const merged = await collection.apply(object, { dryRun: true, fieldManager, force })
      const [before, after] = hideSecrets(live && comparable(live), comparable(merged))
      const lines = textDiff(before === undefined ? '' : yamlText(before), yamlText(after))
      if (lines.length === 0) return
      differs = true
      world.write(
        `${[`--- ${label} (now)`, `+++ ${label} (applied)`, ...lines].map(line => painted(line, world.paint)).join('\n')}\n`,
      )
    })
    if (failure !== exitCodes.done) return Math.max(failure, exitCodes.misused)
    return differs ? exitCodes.failed : exitCodes.done
  },
}

/** Without what every write changes. */
function comparable(object: ApiObject): ApiObject {
  const { managedFields: _, resourceVersion: __, generation: ___, ...metadata } = object.metadata
  return { ...object, metadata }
}

function painted(line: string, paint: Painter): string {
  if (line.startsWith('+')) return paint.good(line)
  if (line.startsWith('-')) return paint.bad(line)
  return line.startsWith('@@') ? paint.key(line) : line
}
