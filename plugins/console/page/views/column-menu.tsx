import type { Column } from '../model/live-table.js'
import { Menu } from './menu.js'

interface Props {
  readonly columns: readonly Column[]
  isShown(column: Column): boolean
  onChoose(names: readonly string[]): void
  onReset(): void
}

/** Selects the columns to show. The browser remembers them for each type. */
export function ColumnMenu({ columns, isShown, onChoose, onReset }: Props) {
  const shown = columns.filter(isShown).map(({ name }) => name)
  const toggle = (name: string) =>
    onChoose(columns.map(each => each.name).filter(each => (each === name) !== shown.includes(each)))
  return (
    <Menu isPanel label="Columns" face="Columns">
      <fieldset class="choices">
        <legend class="unseen">Columns to show</legend>
        {columns.map(({ name, description }) => (
          <label key={name} class="check" title={description}>
            <input
              type="checkbox"
              checked={shown.includes(name)}
              disabled={shown.length === 1 && shown[0] === name}
              onChange={() => toggle(name)}
            />
            <bdi>{name}</bdi>
          </label>
        ))}
      </fieldset>
      <div class="buttons">
        <button type="button" onClick={() => onChoose(columns.map(({ name }) => name))}>
          All
        </button>
        <button type="button" onClick={onReset}>
          Default columns
        </button>
      </div>
    </Menu>
  )
}
