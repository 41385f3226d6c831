import { isUtf8 } from 'node:buffer'
import type { Command } from '../../command.js'
import { createFlags, createNamed } from './create-objects.js'
import { appendHashFlag, entryFlags, readEntries } from './entries.js'

export const createConfigMap: Command = {
  name: 'create configmap',
  aliases: ['create cm'],
  summary: 'Create a configmap from values and files.',
  usage: 'NAME [--from-literal KEY=VALUE]... [--from-file [KEY=]FILE]... [flags]',
  examples: [
    ['Two values', 'create configmap settings --from-literal=color=red --from-literal=size=3'],
    [
      'A file under its name, and one under another',
      'create configmap site --from-file=index.html --from-file=a=b.txt',
    ],
  ],
  flags: [...entryFlags, appendHashFlag, ...createFlags],
  completes: 'nothing',
  async run(call) {
    const entries = [...readEntries(call.flags)]
    const text = entries.filter(([, value]) => isUtf8(value)).map(([key, value]) => [key, value.toString('utf8')])
    const bytes = entries.filter(([, value]) => !isUtf8(value)).map(([key, value]) => [key, value.toString('base64')])
    return createNamed(call, {
      kind: 'ConfigMap',
      ...(text.length > 0 ? { data: Object.fromEntries(text) } : {}),
      ...(bytes.length > 0 ? { binaryData: Object.fromEntries(bytes) } : {}),
    })
  },
}
