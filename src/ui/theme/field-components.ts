import type { ThemeConfig } from 'antd/es/config-provider';

/** What antd's form controls have otherwise than by the tokens. */
export const fieldComponents: ThemeConfig['components'] = {
  Input: {
    colorBgContainer: 'var(--c-field)',
    hoverBorderColor: 'var(--c-control-line)',
    activeBorderColor: 'var(--c-accent)',
  },
  InputNumber: {
    colorBgContainer: 'var(--c-field)',
    hoverBorderColor: 'var(--c-control-line)',
    activeBorderColor: 'var(--c-accent)',
    filledHandleBg: 'var(--c-track)',
  },
  Select: {
    colorBgContainer: 'var(--c-field)',
    selectorBg: 'var(--c-field)',
    hoverBorderColor: 'var(--c-control-line)',
    activeBorderColor: 'var(--c-accent)',
    optionSelectedColor: 'var(--c-ink)',
  },
  DatePicker: {
    colorBgContainer: 'var(--c-field)',
    hoverBorderColor: 'var(--c-control-line)',
    activeBorderColor: 'var(--c-accent)',
    cellHoverWithRangeBg: 'var(--c-accent-tint-hover)',
    cellRangeBorderColor: 'var(--c-accent)',
  },
  Slider: { handleActiveOutlineColor: 'var(--c-accent-ring)', handleColorDisabled: 'var(--c-idle)' },
};
