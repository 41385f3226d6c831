import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { floors } from './floors.js'
import { shelves } from './sdk-surface.js'
import { root } from './sources.js'

/** Where the picture is kept. */
export const pictureFile = join(root, 'docs/house.svg')

/** The rooms that a write passes through, in order; a read skips admission and apply. */
export const wayOfRequest = [
  'http',
  'request',
  'resources',
  'schema',
  'apply',
  'admission',
  'storage',
  'watch',
] as const

const width = 1040
const kernel = { x: 40, width: 640 }
const plugins = { x: 720, width: 280 }
const rowHeight = 44
const gap = 8
const top = 96

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
}

/** Floors, rooms, the plugins beside them, the sdk below both, and the path of a request. */
export function drawHouse(): string {
  const rooms = placeRooms()
  const bottom = top + floors.length * (rowHeight + gap)
  const height = bottom + 196
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="14">`,
    '<title>The house: floors of the kernel, plugins, the sdk, and the way of a request</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(kernel.x, 40, 'The kernel: an import leads to a lower floor or stays in its room', 'font-weight="bold"'),
    text(plugins.x, 40, 'Plugins: they import the sdk alone', 'font-weight="bold"'),
    text(kernel.x, 66, 'Red: the way of a write, from the socket to the store and to watchers', 'fill="#b3261e"'),
    ...[...rooms].map(([name, box]) => room(box, name, '#eef3fb', '#3b5b92')),
    ...pluginFolders().map((name, index) => room(pluginBox(index), name, '#eef8ee', '#3c7a3c', 26, 12)),
    door({ x: kernel.x, y: bottom + 20, width: width - 2 * kernel.x }),
    ...way(rooms),
    text(
      kernel.x,
      height - 20,
      'Drawn by npm run api from test/architecture/floors.ts.',
      'fill="#666666" font-size="12"',
    ),
    '</svg>',
  ].join('\n')}\n`
}

function placeRooms(): Map<string, Box> {
  const boxes = new Map<string, Box>()
  for (const [floor, names] of floors.entries()) {
    const each = (kernel.width - gap * (names.length - 1)) / names.length
    const y = top + (floors.length - 1 - floor) * (rowHeight + gap)
    for (const [index, name] of names.entries()) boxes.set(name, { x: kernel.x + index * (each + gap), y, width: each })
  }
  return boxes
}

const pluginFolders = () =>
  readdirSync(join(root, 'plugins')).filter(name => existsSync(join(root, 'plugins', name, 'plugin.ts')))

function pluginBox(index: number): Box {
  const each = (plugins.width - gap) / 2
  return { x: plugins.x + (index % 2) * (each + gap), y: top + Math.floor(index / 2) * (26 + gap), width: each }
}

function room(
  { x, y, width: wide }: Box,
  name: string,
  fill: string,
  stroke: string,
  height = rowHeight,
  size = 14,
): string {
  const label = text(x + wide / 2, y + height / 2 + 5, name, `text-anchor="middle" font-size="${size}"`)
  return `<rect x="${x}" y="${y}" width="${wide}" height="${height}" rx="4" fill="${fill}" stroke="${stroke}"/>${label}`
}

/** The sdk is below both: it is all that they share. */
function door(box: Box): string {
  const doors = ['orch/sdk', ...shelves]
  const each = (box.width - gap * (doors.length + 1)) / doors.length
  const frame = `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="104" rx="4" fill="#fdf6e3" stroke="#8a6d1b"/>`
  const title = text(
    box.x + gap,
    box.y + 24,
    'The sdk: all that a plugin may import, and the ground that the kernel stands on',
  )
  const boxes = doors.map((name, index) =>
    room({ x: box.x + gap + index * (each + gap), y: box.y + 40, width: each }, name, '#ffffff', '#8a6d1b'),
  )
  return [frame, title, ...boxes].join('\n')
}

function way(rooms: ReadonlyMap<string, Box>): string[] {
  const points = wayOfRequest.map(name => {
    const box = rooms.get(name)
    if (!box) throw new Error(`the way of a request passes ${name}, which the floor table does not have`)
    return { x: Math.round(box.x + 18), y: box.y + rowHeight / 2 }
  })
  const line = points.map(({ x, y }) => `${x},${y}`).join(' ')
  const numbers = points.map(({ x, y }, index) =>
    [
      `<circle cx="${x}" cy="${y}" r="10" fill="#b3261e"/>`,
      text(x, y + 4, String(index + 1), 'text-anchor="middle" fill="#ffffff" font-size="12"'),
    ].join(''),
  )
  return [`<polyline points="${line}" fill="none" stroke="#b3261e" stroke-width="2" opacity="0.6"/>`, ...numbers]
}

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x}" y="${y}"${attributes === '' ? '' : ` ${attributes}`}>${content}</text>`
