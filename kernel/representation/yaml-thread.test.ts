import { readdirSync } from 'node:fs'
import { suite } from 'uvu'
import { eventually } from '../../test/support/eventually.js'
import { YamlThread } from './yaml-thread.js'

const threads = suite('the YAML thread')

const openFiles = () => readdirSync('/proc/self/fd').length

threads('terminated at any time, it leaves no files open', async () => {
  const before = openFiles()
  for (let limitMs = 1; limitMs < 200; limitMs += 45) {
    const thread = new YamlThread(limitMs)
    await thread.parse('a: 1', {}).catch(() => {})
    await thread.close()
  }
  await eventually('files to be closed', () => openFiles() <= before, 60_000)
})

threads.run()
