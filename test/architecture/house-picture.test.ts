import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { floors } from './floors.js'
import { drawHouse, pictureFile } from './house-picture.js'
import { root } from './sources.js'

const picture = suite('the picture of the house')

picture('matches the floor table; if rooms or plugins have changed: npm run api', () => {
  assert.is(readFileSync(pictureFile, 'utf8') === drawHouse(), true, 'docs/house.svg is out of date: npm run api')
})

picture('shows every room of the kernel, and the table of its README names them', () => {
  const rooms = readdirSync(join(root, 'kernel'), { withFileTypes: true }).filter(entry => entry.isDirectory())
  const readme = readFileSync(join(root, 'kernel/README.md'), 'utf8')
  const drawn = drawHouse()
  for (const { name } of rooms) {
    assert.ok(drawn.includes(`>${name}</text>`), name)
    assert.ok(readme.includes(`\`${name}/\``), `kernel/README.md does not name ${name}/`)
  }
  assert.equal(rooms.map(({ name }) => name).sort(), floors.flat().sort())
})

picture.run()
