import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commands } from './commands/index.js'
import { commandHelp, groupHelp, programHelp } from './help.js'

const help = suite('the help of orchctl')

help('has lines of at most 100 columns, and includes everything about each command', () => {
  const groups = [...new Set(commands.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : [])))]
  const texts = [
    programHelp(commands),
    ...groups.map(group => groupHelp(group, commands)),
    ...commands.map(command => commandHelp(command)),
  ]
  assert.equal(
    texts.flatMap(text => text.split('\n').filter(line => line.length > 100)),
    [],
  )
  const words = (text: string) => text.split(/\s+/).join(' ')
  for (const command of commands) {
    const text = words(commandHelp(command))
    for (const said of [command.summary, command.usage, ...command.flags.map(({ description }) => description)])
      assert.ok(text.includes(words(said).trim()), `${command.name}: ${said}`)
  }
})

help.run()
