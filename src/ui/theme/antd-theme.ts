import type { ThemeConfig } from 'antd/es/config-provider';
import type theme from 'antd/es/theme';
import { components } from './components.ts';
import { fieldComponents } from './field-components.ts';

type Tokens = NonNullable<ThemeConfig['token']>;

/**
 * Every colour of antd is one of tokens.css, by its name: light, dark and a company's branding change those, and antd's rules stay as they are.
 * What antd computes with needs a colour it can read, and is replaced here or in `components`.
 */
const COLORS: Tokens = {
  colorPrimary: 'var(--c-accent-fill)',
  colorPrimaryHover: 'var(--c-accent-fill-hover)',
  colorPrimaryActive: 'var(--c-accent-fill-hover)',
  colorPrimaryBg: 'var(--c-accent-tint)',
  colorPrimaryBgHover: 'var(--c-accent-tint-hover)',
  // antd's focus ring.
  colorPrimaryBorder: 'var(--c-accent)',
  colorPrimaryBorderHover: 'var(--c-accent)',
  colorPrimaryText: 'var(--c-accent)',
  colorPrimaryTextHover: 'var(--c-accent)',
  colorPrimaryTextActive: 'var(--c-accent)',
  ...feedback('Info', 'accent', 'var(--c-accent)'),
  ...feedback('Success', 'good', 'var(--c-good-text)'),
  ...feedback('Warning', 'warn', 'var(--c-warn-text)'),
  ...feedback('Error', 'bad', 'var(--c-bad-text)'),
  colorErrorBgFilledHover: 'var(--c-bad-tint)',
  colorErrorBgActive: 'var(--c-bad-tint)',
  colorLink: 'var(--c-accent)',
  colorLinkHover: 'var(--c-accent)',
  colorLinkActive: 'var(--c-accent)',

  colorText: 'var(--c-ink)',
  colorTextSecondary: 'var(--c-muted)',
  colorTextTertiary: 'var(--c-muted)',
  colorTextQuaternary: 'var(--c-muted)',
  colorTextHeading: 'var(--c-ink)',
  colorTextLabel: 'var(--c-ink)',
  colorTextDescription: 'var(--c-muted)',
  colorTextPlaceholder: 'var(--c-muted)',
  colorTextDisabled: 'var(--c-muted)',
  colorTextLightSolid: 'var(--c-on-accent)',
  colorIcon: 'var(--c-muted)',
  colorIconHover: 'var(--c-ink)',
  colorHighlight: 'var(--c-bad-text)',
  colorWhite: 'var(--c-on-accent)',

  colorBgLayout: 'var(--c-page)',
  colorBgContainer: 'var(--c-card)',
  colorBgElevated: 'var(--c-card)',
  colorBgSpotlight: 'var(--c-tooltip)',
  colorBgMask: 'var(--c-overlay)',
  colorBgSolid: 'var(--c-ink)',
  colorBgSolidHover: 'var(--c-ink)',
  colorBgSolidActive: 'var(--c-ink)',
  colorBgTextHover: 'var(--c-hover)',
  colorBgTextActive: 'var(--c-hover)',
  colorBgContainerDisabled: 'var(--c-sunken)',
  colorFill: 'var(--c-track)',
  colorFillSecondary: 'var(--c-track)',
  colorFillTertiary: 'var(--c-hover)',
  colorFillQuaternary: 'var(--c-sunken)',
  colorFillContent: 'var(--c-track)',
  colorFillContentHover: 'var(--c-track)',
  colorFillAlter: 'var(--c-sunken)',
  colorBorder: 'var(--c-line-strong)',
  colorBorderSecondary: 'var(--c-line)',
  colorBorderBg: 'var(--c-card)',
  colorSplit: 'var(--c-line)',
  controlItemBgHover: 'var(--c-hover)',
  controlItemBgActive: 'var(--c-accent-tint)',
  controlItemBgActiveHover: 'var(--c-accent-tint-hover)',
  controlItemBgActiveDisabled: 'var(--c-track)',
  controlTmpOutline: 'var(--c-sunken)',
  controlOutline: 'var(--c-accent-ring)',
  colorErrorOutline: 'var(--c-bad-ring)',
  colorWarningOutline: 'var(--c-warn-ring)',
};

/** Some of these are missing in antd's types. */
const SHADOWS: Record<string, string> = {
  boxShadow: 'var(--shadow-float)',
  boxShadowSecondary: 'var(--shadow-float)',
  boxShadowTertiary: 'var(--shadow-card)',
  boxShadowPopoverArrow: 'none',
  boxShadowDrawerLeft: 'var(--shadow-dialog)',
  boxShadowDrawerRight: 'var(--shadow-dialog)',
};

function feedback(kind: string, name: string, text: string): Record<string, string> {
  return {
    [`color${kind}`]: text,
    [`color${kind}Hover`]: text,
    [`color${kind}Active`]: text,
    [`color${kind}Text`]: text,
    [`color${kind}TextHover`]: text,
    [`color${kind}TextActive`]: text,
    [`color${kind}Bg`]: `var(--c-${name}-tint)`,
    [`color${kind}BgHover`]: `var(--c-${name}-tint)`,
    [`color${kind}Border`]: `var(--c-${name}-line)`,
    [`color${kind}BorderHover`]: `var(--c-${name}-line)`,
  };
}

/** Numbers, because antd computes with them; the same as in tokens.css. */
const SIZES: Tokens = {
  fontSize: 13,
  fontSizeSM: 12,
  fontSizeLG: 14,
  fontSizeXL: 16,
  fontSizeIcon: 12,
  lineHeight: 20 / 13,
  lineHeightSM: 20 / 12,
  lineHeightLG: 20 / 14,
  controlHeight: 30,
  controlHeightSM: 26,
  controlHeightLG: 38,
  controlHeightXS: 22,
  controlInteractiveSize: 16,
  borderRadius: 7,
  borderRadiusSM: 5,
  borderRadiusXS: 4,
  borderRadiusLG: 10,
  lineWidthFocus: 2,
  motionDurationFast: 'var(--quick)',
  motionDurationMid: 'var(--quick)',
  motionDurationSlow: 'var(--quick)',
};

const LINE_HEIGHTS = { fontHeight: 20, fontHeightSM: 20, fontHeightLG: 20 };

type Algorithms = Pick<typeof theme, 'compactAlgorithm' | 'defaultAlgorithm'>;

/** antd in the console's theme, from antd's own algorithms: compact spacing, our colours, no moving parts. One for every mode and branding. */
export function makeConsoleTheme({ compactAlgorithm, defaultAlgorithm }: Algorithms): ThemeConfig {
  return {
    hashed: false,
    // The colours that it makes of its seeds are replaced; what stays antd's are sizes, shapes and the preset colours.
    algorithm: (seed) => ({ ...compactAlgorithm(seed, defaultAlgorithm(seed)), ...COLORS, ...SIZES, ...LINE_HEIGHTS }),
    token: {
      ...COLORS,
      ...SHADOWS,
      ...SIZES,
      fontFamily: 'var(--font)',
      fontFamilyCode: 'var(--font-mono)',
      motion: false,
      zIndexPopupBase: 80,
    },
    components: { ...components, ...fieldComponents },
  };
}
